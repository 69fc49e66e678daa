#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The engine of pages (web/engine/) compared with the native dp2: the same bytes for the same command line, the same
// pixels, whatever the earlier requests; cancelled requests, hostile files, short memory. Speaks TAP.
//
// tests/web/test_engine.js [DP2 [CAPTURE...]]     captures: their hashes, instead of the tests
'use strict'
process.setMaxListeners(0)           // each engine adds a listener
const { execFileSync, spawnSync } = require('child_process')
const fs = require('fs'), os = require('os'), path = require('path'), zlib = require('zlib'), assert = require('assert')

const ROOT = path.join(__dirname, '../..')
const DP2 = path.resolve(process.argv[2] || path.join(ROOT, 'build/native/dp2'))
const Halcyon = require(path.join(ROOT, 'build/web/halcyon.js'))
const code = fs.readFileSync(path.join(ROOT, 'build/web/halcyon.wasm'))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'halcyon-'))
const texts = fs.readdirSync(path.join(ROOT, 'examples/dp2')).filter(name => name.endsWith('.dp2s'))
  .map(name => path.join(ROOT, 'examples/dp2', name)).concat(path.join(ROOT, 'tests/cli/multi.dp2s'))

const engine = () => Halcyon({ wasmBinary: code })

function native(...words) {
  const done = spawnSync(DP2, words, { cwd: folder, maxBuffer: 1 << 28 })
  return { status: done.status, output: done.stdout.toString(), messages: done.stderr.toString() }
}

// A capture of a text of the project, in the folder.
function assembled(text, name) {
  execFileSync(DP2, ['asm', text, '-o', path.join(folder, name)])
  return fs.readFileSync(path.join(folder, name))
}

// Aborts when the engine pauses for the `count`th time from now on. Module.pause is what the engine calls then.
function abortAtPause(halcyon, count, controller) {
  const pause = halcyon.original || (halcyon.original = halcyon.pause)
  halcyon.pause = wake => {
    if (--count === 0) controller.abort()
    pause(wake)
  }
}

// Times differ from run to run.
const timeless = text => text.replace(/"(seconds|least|median|most)": [0-9.e+-]+/g, '"$1": 0').replace(/[0-9.]+ secs?, average of [0-9.]+/, '')

// 8 bits a channel, RGB or RGBA, not interlaced: what dp2 writes.
function decodePng(bytes) {
  const width = bytes.readUInt32BE(16), height = bytes.readUInt32BE(20), size = bytes[25] === 6 ? 4 : 3
  const parts = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  const data = zlib.inflateSync(Buffer.concat(parts)), row = width * size, pixels = new Uint8ClampedArray(4 * width * height).fill(255)
  let above = new Uint8Array(row)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (row + 1)], line = Uint8Array.from(data.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)))
    for (let x = 0; x < row; x++) {
      const a = x < size ? 0 : line[x - size], b = above[x], c = x < size ? 0 : above[x - size], p = a + b - c
      const nearest = Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c) ? a : Math.abs(p - b) <= Math.abs(p - c) ? b : c
      line[x] += [0, a, b, (a + b) >> 1, nearest][filter]
    }
    for (let x = 0; x < width; x++) for (let k = 0; k < size; k++) pixels[4 * (y * width + x) + k] = line[size * x + k]
    above = line
  }
  return { width, height, pixels }
}

const tests = {
  // Every question of the page, in an order in which the session goes back and forth.
  async 'the same bytes as the native dp2'() {
    const halcyon = await engine()
    let asked = 0
    for (const text of texts) {
      halcyon.put('a.capture', assembled(text, 'a.capture'))
      const ask = async (...words) => {
        const here = await halcyon.run(words), there = native(...words)
        asked++
        assert.deepStrictEqual([here.status, timeless(here.output), timeless(here.messages)],
          [there.status, timeless(there.output), timeless(there.messages)], path.basename(text) + ': ' + words.join(' '))
        return here
      }
      await ask('info', 'a.capture', '--json')
      const frames = JSON.parse((await ask('draws', 'a.capture', '--json')).output).frames
      await ask('draws', 'a.capture', '--names', '--json')
      await ask('dump', 'a.capture', '--bytes', '--json')
      await ask('dump', 'a.capture', '--asm')
      await ask('replay', 'a.capture', '--hash', '--json')
      for (const frame of frames.reverse().slice(0, 2)) {
        const draws = frame.draws.filter(draw => draw.context)
        await ask('textures', 'a.capture', '--frame', String(frame.frame), '--json')
        await ask('pixel', 'a.capture', '30,20', '--frame', String(frame.frame), '--json')
        for (const draw of [draws[draws.length - 1], draws[0]].filter(draw => draw)) {
          await ask('state', 'a.capture', draw.draw, '--json')
          await ask('pixel', 'a.capture', '1,1', '--why', draw.draw, '--json')
          if (draw.kind === 'draw') await ask('mesh', 'a.capture', draw.draw, '--json')
        }
      }
      await ask('state', 'a.capture', '0.99999', '--json')
      await ask('draws', 'a.capture', '--frame', '99', '--json')
    }
    for (const words of [['tokens', '--json'], ['--version'], ['help'], ['help', 'pixel'], ['caps', '--json'], ['nonsense'], ['shot', 'a.capture']]) {
      const here = await halcyon.run(words), there = native(...words)
      const levels = text => text.replace(/"(cpu|threads)[^,}]*/g, '')
      assert.deepStrictEqual([here.status, levels(here.output), here.messages], [there.status, levels(there.output), there.messages], words.join(' '))
    }
    assert.ok(asked > 100)
  },

  async 'the same pixels as in the PNG files'() {
    const halcyon = await engine(), shows = ['color', 'before', 'alpha', 'depth', 'stencil', 'touched', 'overdraw', 'quad-overdraw', 'wireframe',
      'depth-fail', 'mip', 'triangle-size', 'coverage']
    let compared = 0
    for (const text of texts) {
      halcyon.put('a.capture', assembled(text, 'a.capture'))
      const last = JSON.parse((await halcyon.run(['draws', 'a.capture', '--frame', '0', '--names', '--json'])).output).frames[0].draws.pop()
      if (last.kind !== 'draw') continue
      for (const show of shows) {
        const words = ['shot', 'a.capture', last.draw, '--show', show, '-o', 'shot.png', '--json']
        const here = await halcyon.run(words), there = native(...words)
        assert.deepStrictEqual([here.status, here.output], [there.status, there.output], words.join(' '))
        if (there.status) continue
        assert.deepStrictEqual(here.pictures['shot.png'], decodePng(fs.readFileSync(path.join(folder, 'shot.png'))), show + ' of ' + text)
        compared++
      }
      const words = ['textures', 'a.capture', '--export', 'files']
      fs.rmSync(path.join(folder, 'files'), { recursive: true, force: true })
      const here = await halcyon.run(words)
      native(...words)
      assert.deepStrictEqual(Object.keys(here.pictures).sort(), fs.readdirSync(path.join(folder, 'files')).map(name => 'files/' + name).sort())
      for (const name of Object.keys(here.pictures))
        assert.deepStrictEqual(here.pictures[name], decodePng(fs.readFileSync(path.join(folder, name))), name + ' of ' + text)
    }
    assert.ok(compared > 80, String(compared))
  },

  // With copies of memory between any two frames, and any requests in between.
  async 'frames to and fro by copies of memory'() {
    const halcyon = await engine(), capture = assembled(path.join(ROOT, 'tests/cli/multi.dp2s'), 'a.capture')
    const frames = 6, order = [5, 0, 4, 1, 5, 3, 2, 5, 4, 3, 2, 1, 0]
    const expected = []
    for (let frame = 0; frame < frames; frame++) {
      const fresh = await engine()
      fresh.put('a.capture', capture)
      expected[frame] = await fresh.run(['shot', 'a.capture', frame + '.0', '-o', 'shot', '--json'])
      assert.strictEqual(expected[frame].status, 0)
    }
    halcyon.put('a.capture', capture)
    halcyon.snapshots.configure(0)
    for (const frame of order) {
      const shot = await halcyon.run(['shot', 'a.capture', frame + '.0', '-o', 'shot', '--json'])
      assert.deepStrictEqual(shot, expected[frame], 'frame ' + frame)
      await halcyon.run(['pixel', 'a.capture', '9,9', '--frame', String((frame + 3) % frames), '--json'])
      await halcyon.run(['replay', 'a.capture', '--frame', '1', '--hash', '--json'])   // ends the session
    }
    assert.ok(halcyon.snapshots.count() > 1)
    halcyon.put('b.txt', 'a file that no copy has')
    assert.strictEqual(halcyon.snapshots.count(), 0)
    await halcyon.run(['shot', 'a.capture', '1.0', '-o', 'shot', '--json'])
    assert.ok(halcyon.get('b.txt'))
  },

  async 'frames'() {
    const halcyon = await engine(), multi = path.join(ROOT, 'tests/cli/multi.dp2s')
    halcyon.put('a.capture', assembled(multi, 'a.capture'))
    const expected = JSON.parse(native('replay', 'a.capture', '--hash', '--json').output).frames
    const answer = await halcyon.run(['frames', 'a.capture', '--width', '20', '--json'])
    const frames = JSON.parse(answer.output).frames
    assert.deepStrictEqual(frames.map(f => [f.frame, f.width, f.height, f.hash]), expected.map(f => [f.frame, f.width, f.height, f.hash]))
    assert.deepStrictEqual(Object.keys(answer.pictures), frames.map(f => 'frame-' + f.frame))
    assert.ok(Object.values(answer.pictures).every(p => p.width === 20))
    const whole = await halcyon.run(['frames', 'a.capture', '--frame', '1', '--json'])
    native('replay', 'a.capture', '--frame', '1', '-o', 'one.png')
    assert.deepStrictEqual(whole.pictures['frame-1'], decodePng(fs.readFileSync(path.join(folder, 'one.png'))))
    assert.deepStrictEqual(JSON.parse((await halcyon.run(['frames', 'a.capture', '--frame', '50-60', '--json'])).output).frames, [])
    assert.deepStrictEqual((await halcyon.run(['frames', 'a.capture', '--hashes'])).pictures, {})
    assert.strictEqual((await halcyon.run(['frames', 'a.capture', '--width', '0'])).status, 2)
  },

  async 'files: text, edits, trimmed captures'() {
    const halcyon = await engine(), text = fs.readFileSync(path.join(ROOT, 'tests/cli/multi.dp2s'), 'utf8')
    const expected = assembled(path.join(ROOT, 'tests/cli/multi.dp2s'), 'a.capture')
    halcyon.put('a.dp2s', text)
    const made = await halcyon.run(['asm', 'a.dp2s', '-o', 'a.capture'])
    assert.deepStrictEqual([made.status, made.files], [0, ['a.capture']])
    assert.deepStrictEqual(Buffer.from(halcyon.get('a.capture')), expected)
    // A session on a rewritten file uses the new file.
    await halcyon.run(['draws', 'a.capture', '--frame', '1', '--json'])
    halcyon.put('a.dp2s', text.replace(/color=#[0-9a-f]{8}/g, 'color=#ff405060'))
    const before = await halcyon.run(['replay', 'a.capture', '--hash'])
    await halcyon.run(['asm', 'a.dp2s', '-o', 'a.capture'])
    assert.notStrictEqual((await halcyon.run(['replay', 'a.capture', '--hash'])).output, before.output)
    halcyon.put('a.capture', expected)
    for (const words of [['trim', 'a.capture', '--frame', '1', '-o', 'b.capture'],
      ['edit', 'a.capture', '--set', 'RENDERSTATE {state=CULLMODE value=CW}', '-o', 'b.capture', '--json'],
      ['edit', 'a.capture', '--set', 'RENDERSTATE {state=FILLMODE value=WIREFRAME}', '--at', '1.0', '-o', 'b.capture']]) {
      const here = await halcyon.run(words), there = native(...words)
      assert.deepStrictEqual([here.status, here.output, here.files], [there.status, there.output, ['b.capture']], words.join(' '))
      assert.deepStrictEqual(Buffer.from(halcyon.get('b.capture')), fs.readFileSync(path.join(folder, 'b.capture')), words.join(' '))
    }
    halcyon.put('bad.dp2s', 'create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c {\n    NONSENSE {}\n}\n')
    const bad = await halcyon.run(['asm', 'bad.dp2s', '-o', 'c.capture'])
    assert.match(bad.messages, /^dp2 asm: bad\.dp2s:4:5: /)
    assert.deepStrictEqual([bad.status, bad.files, halcyon.get('c.capture')], [1, [], null])
    halcyon.remove('a.capture')
    assert.strictEqual((await halcyon.run(['info', 'a.capture'])).status, 2)
  },

  async 'requests that are given up'() {
    const halcyon = await engine(), many = path.join(folder, 'many.dp2s')
    const frame = 'draw c {\n    CLEAR flags=TARGET color=#ff102030\n    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\n    SETSTREAMSOURCEUM {stream=0 stride=20}\n' +
      '    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n    user_vertices { fvf(XYZRHW|DIFFUSE 1 1 0 1 #ffffffff  600 1 0 1 #ffffffff  1 400 0 1 #ff0000ff) }\n}\npresent t\n'
    fs.writeFileSync(many, 'create target t 640x480 X8R8G8B8\ncontext c target=t\n' + frame.repeat(400))
    halcyon.put('m.capture', assembled(many, 'm.capture'))
    const undisturbed = native('pixel', 'm.capture', '10,10', '--frame', '399', '--json').output
    for (const pauses of [1, 2, 3, 4]) {
      const controller = new AbortController()
      abortAtPause(halcyon, pauses, controller)
      const answer = await halcyon.run(['draws', 'm.capture', '--json'], controller.signal)
      // The first pause is at the beginning; a later one may not occur on a fast machine.
      assert.strictEqual(answer.cancelled, controller.signal.aborted)
      assert.ok(answer.cancelled || pauses > 1)
    }
    const never = new AbortController()
    never.abort()
    assert.strictEqual((await halcyon.run(['info', 'm.capture'], never.signal)).cancelled, true)
    // The newer of two waiting requests is not affected by the end of the other.
    const older = new AbortController()
    abortAtPause(halcyon, 1, older)
    const both = [halcyon.run(['draws', 'm.capture', '--json'], older.signal), halcyon.run(['pixel', 'm.capture', '10,10', '--frame', '399', '--json'])]
    assert.strictEqual((await both[0]).cancelled, true)
    assert.strictEqual((await both[1]).output, undisturbed)
  },

  // Files that end anywhere, or have any byte changed: a message, and the engine still works.
  async 'hostile captures end in a message'() {
    const halcyon = await engine(), good = assembled(path.join(ROOT, 'tests/cli/multi.dp2s'), 'a.capture')
    const fine = native('draws', 'a.capture', '--frame', '0', '--json').output
    let seed = 7, messages = 0, tries = 0
    const below = count => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % count
    for (; tries < 60; tries++) {
      const bad = Uint8Array.from(tries % 2 ? good.subarray(0, below(good.length)) : good)
      for (let i = 0; tries % 2 === 0 && i < 1 + below(3); i++) bad[below(bad.length)] ^= 1 << below(8)
      fs.writeFileSync(path.join(folder, 'bad.capture'), bad)
      halcyon.put('bad.capture', bad)
      const words = [['draws', 'bad.capture', '--json'], ['replay', 'bad.capture', '--hash'], ['pixel', 'bad.capture', '1,1', '--frame', '1', '--json'], ['info', 'bad.capture', '--json']][tries % 4]
      const here = await halcyon.run(words), there = native(...words)
      assert.deepStrictEqual([here.status, timeless(here.messages)], [there.status, timeless(there.messages)], String(tries))
      messages += here.status === 1 && here.messages !== ''
    }
    assert.ok(messages > 30, String(messages))
    halcyon.put('a.capture', good)
    assert.strictEqual(timeless((await halcyon.run(['draws', 'a.capture', '--frame', '0', '--json'])).output), timeless(fine))
  },

  // Valid checksums, but nonsensical events, or events that ask for more memory than there is.
  async 'hostile events end in a message'() {
    const halcyon = await engine()
    const big = ['a', 'b', 'c'].map(name => `create texture ${name} 8192x8192 A32B32G32R32F\n`).join('')
    for (const [text, pattern] of [[big + 'create target t 8x8 X8R8G8B8\npresent t\n', /./], ['create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c { raw hex(ff ff ff ff 00 00) }\npresent t\n', /./],
      ['create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c { SETVERTEXSHADER {shader=99} DRAWPRIMITIVE {type=TRIANGLELIST start=1000000 primitives=4000000} }\npresent t\n', null]]) {
      halcyon.put('h.dp2s', text)
      assert.strictEqual((await halcyon.run(['asm', 'h.dp2s', '-o', 'h.capture'])).status, 0, text)
      for (const words of [['replay', 'h.capture', '--hash'], ['draws', 'h.capture', '--json'], ['textures', 'h.capture', '--json']]) {
        const answer = await halcyon.run(words)
        assert.ok(answer.status <= 2)
        if (answer.status) assert.notStrictEqual(answer.messages, '', text)
      }
    }
    assert.strictEqual(halcyon.put('huge', { length: 2 ** 31 }), false)
    assert.strictEqual((await halcyon.run(['--version'])).status, 0)
  },
}

// The hashes of all frames of a capture, in both programs.
async function hashes(capture) {
  const halcyon = await engine(), start = performance.now()
  halcyon.put('a.capture', fs.readFileSync(capture))
  const here = await halcyon.run(['replay', 'a.capture', '--hash', '-q']), milliseconds = performance.now() - start
  const there = native('replay', path.resolve(capture), '--hash', '-q')
  assert.ok(there.output.split('\n').length > 2)
  assert.deepStrictEqual([here.status, here.output], [there.status, there.output])
  return `${here.output.split('\n').length - 1} frames, ${(milliseconds / (here.output.split('\n').length - 1)).toFixed(1)} ms each`
}

async function main() {
  const captures = process.argv.slice(3)
  const list = captures.length ? captures.map(path_ => [path.basename(path_), () => hashes(path_)]) : Object.entries(tests)
  let failed = 0, number = 0
  for (const [name, test] of list) {
    number++
    try {
      const said = await test()
      console.log(`ok ${number} ${name}${said ? ' # ' + said : ''}`)
    } catch (error) {
      failed++
      console.log(`not ok ${number} ${name}\n# ${String(error.stack || error).slice(0, 3000).replace(/\n/g, '\n# ')}`)
    }
  }
  console.log(`1..${number}`)
  fs.rmSync(folder, { recursive: true })
  process.exit(failed ? 1 : 0)
}

main()

// SPDX-License-Identifier: MIT
// The functions of the module for JavaScript, which README.md describes.
;(function () {
  var encoder = new TextEncoder(), decoder = new TextDecoder()
  var signal = null                     // of the current request
  var last = Promise.resolve()          // settled when all requests so far are done
  var lost = null                       // why the module can no longer be used
  var chunks = [[], [], []]             // of standard output and error, by file descriptor

  if (Module['environment']) Object.assign(ENV, Module['environment'])  // before the module first asks for a setting

  Module['collect'] = function (fd, bytes) {
    ;(chunks[fd] || (chunks[fd] = [])).push(bytes)
  }

  function collected(fd) {
    var parts = chunks[fd], size = 0, at = 0
    for (var part of parts) size += part.length
    var whole = new Uint8Array(size)
    for (part of parts) {
      whole.set(part, at)
      at += part.length
    }
    chunks[fd] = []
    return decoder.decode(whole)
  }

  // Calls `then` after waiting messages have been delivered.
  var turn
  if (typeof setImmediate === 'function') {
    turn = setImmediate
  } else {
    var channel = new MessageChannel(), waiting = []
    channel.port1.onmessage = function () { waiting.shift()() }
    turn = function (then) {
      waiting.push(then)
      channel.port2.postMessage(0)
    }
  }

  Module['pause'] = function (wake) {
    turn(function () { wake(signal && signal.aborted ? 0 : 1) })
  }

  // Copies bytes into the module's memory; 0 if there is no room.
  function copyIn(bytes) {
    var at = _malloc(bytes.length + 1)
    if (at) {
      HEAPU8.set(bytes, at)
      HEAPU8[at + bytes.length] = 0
    }
    return at
  }

  function withName(name, call) {
    if (lost) throw lost
    var at = copyIn(encoder.encode(name))
    if (!at) throw new Error('out of memory')
    try {
      return call(at)
    } finally {
      _free(at)
    }
  }

  Module['put'] = function (name, data) {
    snapshots.drop()
    var bytes = typeof data === 'string' ? encoder.encode(data) : data
    return withName(name, function (text) {
      var at = copyIn(bytes)
      return at !== 0 && _web_put(text, at, bytes.length) !== 0
    })
  }

  Module['get'] = function (name) {
    return withName(name, function (text) {
      var at = _web_data(text)
      return at ? HEAPU8.slice(at, at + _web_size(text)) : null
    })
  }

  Module['remove'] = function (name) {
    snapshots.drop()
    withName(name, function (text) { _web_remove(text) })
  }

  function nothing() {
    return { status: 2, cancelled: true, output: '', messages: '', pictures: {}, files: [] }
  }

  Module['snapshots'] = snapshots

  async function run(words, itsSignal) {
    if (lost) throw lost
    await snapshots.approach(words, async function (step) {
      var answer = await carryOut(step, itsSignal)
      return !answer.cancelled && answer.status === 0
    })
    var answer = await carryOut(words, itsSignal)
    if (answer.files.length) snapshots.drop()
    return answer
  }

  async function carryOut(words, itsSignal) {
    if (itsSignal && itsSignal.aborted) return nothing()
    var line = encoder.encode(words.map(function (word) { return word + '\0' }).join('')), at = copyIn(line)
    if (!at) throw new Error('out of memory')
    signal = itsSignal
    var answer = (Module['answer'] = { status: 2, cancelled: false, output: '', messages: '', pictures: {}, files: [] })
    try {
      answer.status = await ccall('web_run', 'number', ['number', 'number'], [at, line.length], { async: true })
    } catch (error) {
      lost = error
      throw error
    } finally {
      signal = null
    }
    _free(at)
    answer.cancelled = !!itsSignal && itsSignal.aborted
    answer.output = collected(1)
    answer.messages = collected(2)
    return answer
  }

  Module['run'] = function (words, itsSignal) {
    var result = last.then(function () { return run(words, itsSignal) })
    last = result.catch(function () {})
    return result
  }
})()

// SPDX-License-Identifier: MIT
// Going back: copies of the module's whole memory, made while a session plays a capture. A session can only go forward,
// by playing; without copies, going back to a frame would mean to play the capture from its beginning. Between two
// requests the stack is empty and the module's whole state is in its memory, so restoring a copy restores the session.
var snapshots = (function () {
  var BYTES = 256 << 20                 // of all copies
  var kept = []                         // { frame, bytes }, by frame
  var file = null                       // the capture that the copies belong to
  var spacing = 500                     // the least time, in milliseconds of playing, from copy to copy
  var step = 2                          // frames that are played without a pause

  var VERBS = ['draws', 'state', 'shot', 'pixel', 'mesh', 'textures', 'trace', 'resources', 'buffer']   // the verbs that use the session

  // The frame that a request is about; -1 if the session need not go to a frame.
  function frameOf(words) {
    if (VERBS.indexOf(words[0]) < 0) return -1
    for (var i = 2; i < words.length; i++) {
      if (words[i - 1] === '--frame' || words[i - 1] === '-f' || words[i - 1] === '--why' || /^[0-9]+\.[0-9]+$/.test(words[i])) {
        var frame = parseInt(words[i], 10)
        return frame >= 0 ? frame : -1
      }
    }
    return -1
  }

  function drop() {
    kept = []
    file = null
  }

  // Drops every other copy; from then on copies are farther apart.
  function thin() {
    kept = kept.filter(function (_, i) { return i % 2 === 0 })
    spacing *= 2
  }

  function take(frame) {
    var size = HEAPU8.length, at = kept.findIndex(function (s) { return s.frame >= frame })
    if (size > BYTES / 2 || (at >= 0 && kept[at].frame === frame)) return
    while ((kept.length + 1) * size > BYTES) thin()
    kept.splice(at < 0 ? kept.length : at, 0, { frame: frame, bytes: HEAPU8.slice() })
  }

  function nearest(frame) {
    var found = null
    for (var s of kept) if (s.frame <= frame) found = s
    return found
  }

  function restore(snapshot) {
    HEAPU8.set(snapshot.bytes)
    HEAPU8.fill(0, snapshot.bytes.length)
  }

  return {
    drop: drop,

    // For tests: the distance of copies in milliseconds, and their number.
    configure: function (milliseconds) { spacing = milliseconds },
    count: function () { return kept.length },

    // Brings the session near the frame of the request: back by a copy, forward in steps with copies between them.
    // play(words) carries out a request and ignores the answer; false: it was cancelled or has failed.
    approach: async function (words, play) {
      var frame = frameOf(words), at = _web_session_frame()
      if (file !== words[1]) {
        drop()
        file = words[1]
      }
      if (frame < 0 || frame === at) return
      if (at > frame || at < 0) {
        var snapshot = nearest(frame)
        if (snapshot) {
          restore(snapshot)
          at = snapshot.frame
        } else {
          at = 0
        }
      }
      var last = nearest(frame), since = performance.now()
      while (at + step < frame) {
        var begin = performance.now()
        if (!(await play(['draws', words[1], '--names', '--json', '--frame', String(at + step)]))) return
        at = _web_session_frame()
        if (at < 0) return
        var now = performance.now()
        if (now - since >= spacing && (!last || at > last.frame)) {
          take(at)
          since = performance.now()
        }
        step = now - begin < spacing / 4 ? Math.min(2 * step, 256) : now - begin > spacing ? Math.max(step >> 1, 1) : step
      }
    },
  }
})()

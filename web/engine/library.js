// SPDX-License-Identifier: MIT
// The functions of JavaScript that the engine calls (engine.h). `Module.answer` is the answer under construction:
// engine.js.
mergeInto(LibraryManager.library, {
  // Standard output and error. They replace emscripten's, which pass on text line by line.
  fd_write__deps: [],
  fd_write: function (fd, vectors, count, written) {
    var total = 0
    for (var i = 0; i < count; i++) {
      var at = HEAPU32[(vectors >> 2) + 2 * i], size = HEAPU32[(vectors >> 2) + 2 * i + 1]
      Module['collect'](fd, HEAPU8.slice(at, at + size))
      total += size
    }
    HEAPU32[written >> 2] = total
    return 0
  },

  web_answer_picture: function (name, width, height, pixels) {
    Module['answer'].pictures[UTF8ToString(name)] = {
      width: width,
      height: height,
      pixels: new Uint8ClampedArray(HEAPU8.slice(pixels, pixels + 4 * width * height).buffer),
    }
  },

  web_answer_file: function (name) {
    Module['answer'].files.push(UTF8ToString(name))
  },

  web_pause__deps: ['$Asyncify'],
  web_pause: function () {
    return Asyncify.handleSleep(function (wake) {
      Module['pause'](wake)
    })
  },
})

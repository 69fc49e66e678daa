// SPDX-License-Identifier: MIT
// Linked in front of a test program of the web build: node's environment, and a loader that reads the code from a file
// (the fetch of newer nodes cannot).
Module['preRun'] = function () { Object.assign(ENV, process.env) }
Module['wasmBinary'] = require('fs').readFileSync(__filename.replace(/js$/, 'wasm'))

// SPDX-License-Identifier: MIT
// Before a test program of the web build: node's environment, and its code read as a file (newer nodes have a fetch that reads none).
Module['preRun'] = function () { Object.assign(ENV, process.env) }
Module['wasmBinary'] = require('fs').readFileSync(__filename.replace(/js$/, 'wasm'))

// SPDX-License-Identifier: MIT
// The texts of the licences of all packages in the page: build.mjs collects them.
declare const LICENCE_TEXTS: string;

export const LICENCES: string = LICENCE_TEXTS;

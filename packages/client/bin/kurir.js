#!/usr/bin/env node
// Not built, so that it is there when npm links commands: npm skips a command whose file does not exist yet.
import '../dist/kurir.js';

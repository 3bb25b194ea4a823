#!/usr/bin/env node
// This file is not built, so it exists when npm links commands. npm skips a command whose file does not exist.
import '../dist/kurir.js';

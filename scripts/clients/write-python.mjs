// Writes the operations and types of the Python client from docs/openapi.json. `--check` fails if a file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { publicOperations } from '../../packages/contracts/dist/index.js';
import { fromRoot } from '../local/paths.mjs';
import { methodsOf } from './python-operations.mjs';
import { PythonTypes } from './python-types.mjs';

const folder = 'clients/python/src/kurir';
const note = '# Written from docs/openapi.json by `npm run generate`.';

const openapi = JSON.parse(readFileSync(fromRoot('docs/openapi.json'), 'utf8'));
const types = new PythonTypes(openapi.components.schemas);

const methods = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => {
    // How the gateway treats a second use of a signature stands in the contracts only.
    const { repeat } = publicOperations[operation.operationId];
    return methodsOf({ operation, method: method.toUpperCase(), path, repeat, types });
  }),
);
// The feed and webhooks have these, and the client names them.
types.annotate({ $ref: '#/components/schemas/Event' }, {});

const operationsModule = `"""The operations of the API, one method each."""

${note}

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from . import types
from ._calls import Calls
from ._requests import Route
from ._unset import UNSET, Unset


class Operations(Calls):
    """One method for each operation. It returns the \`\`data\`\` of the answer.

    Each raises \`\`KurirError\`\` if the gateway refuses or does not answer, and ValueError if the
    call cannot be sent as it is. A time may be a text or a datetime with its zone. An argument that
    is left out is not sent.
    """

${methods.join('\n\n')}
`;

const modules = [
  { path: `${folder}/_operations.py`, wanted: operationsModule },
  {
    path: `${folder}/types.py`,
    wanted: types.module(`"""The shapes of answers, and of arguments that are objects."""\n\n${note}`),
  },
];

for (const { path, wanted } of modules) {
  if (!process.argv.includes('--check')) writeFileSync(fromRoot(path), wanted);
  else if (readFileSync(fromRoot(path), 'utf8') !== wanted) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}

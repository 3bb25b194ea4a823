// Writes the operations of the PHP client from docs/openapi.json. `--check` fails if the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { publicOperations } from '../../packages/contracts/dist/index.js';
import { fromRoot } from '../local/paths.mjs';
import { Schemas } from './operation-arguments.mjs';
import { phpMethods } from './php-operations.mjs';

const path = 'clients/php/src/Operations.php';

const { paths, components } = JSON.parse(readFileSync(fromRoot('docs/openapi.json'), 'utf8'));
const schemas = new Schemas(components.schemas);
const methods = Object.entries(paths).flatMap(([target, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) => {
    const { repeat } = publicOperations[operation.operationId];
    return phpMethods({ operation, method: method.toUpperCase(), path: target, repeat, schemas });
  }),
);

const wanted = `<?php

// Written from docs/openapi.json by \`npm run generate\`.

declare(strict_types=1);

namespace Kurir;

use DateTimeInterface;
use Generator;

/**
 * One method for each operation. It returns the \`data\` of the answer, or throws a KurirError if the gateway refuses or
 * does not answer. It throws an InvalidArgumentException if the call cannot be sent as it is. An argument that is left
 * out is not sent.
 */
abstract class Operations extends Calls
{
${methods.join('\n\n')}
}
`;

if (!process.argv.includes('--check')) writeFileSync(fromRoot(path), wanted);
else if (readFileSync(fromRoot(path), 'utf8') !== wanted) {
  console.error(`${path} is stale: run npm run generate`);
  process.exitCode = 1;
}

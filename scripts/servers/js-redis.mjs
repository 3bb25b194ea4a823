// Runs a Redis that is written in JavaScript, for machines without another one. It is slow and keeps all data in
// memory.
import { createRedisMock } from 'js-redis-server';

await createRedisMock({ port: Number(process.argv[2]), host: '127.0.0.1' });

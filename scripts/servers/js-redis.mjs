// Runs the Redis that is written in JavaScript, for machines that have no other: all in memory, some 150 jobs a second.
import { createRedisMock } from 'js-redis-server';

await createRedisMock({ port: Number(process.argv[2]), host: '127.0.0.1' });

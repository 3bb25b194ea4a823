// Stands in for an app or a service: writes its pid, returns 200 on its port, and logs a line for the log file only.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [pidFile, port, instance = ''] = process.argv.slice(2);
writeFileSync(pidFile, String(process.pid));
createServer((_request, response) => response.setHeader('x-kurir-instance', instance).end('ok')).listen(
  Number(port),
  '127.0.0.1',
);
console.log(JSON.stringify({ level: 30, msg: 'quiet line' }));
console.log(JSON.stringify({ level: 40, msg: 'loud line', err: { message: 'for a person' } }));

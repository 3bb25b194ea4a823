/** The bare side of `accept`: Express with express.json and one `queue.add` per request, and nothing else. */
import { Queue } from 'bullmq';
import express, { type Request, type Response } from 'express';

const { PORT = '', REDIS_URL = '', BARE_PREFIX = '' } = process.env;
const queue = new Queue('send', { connection: { url: REDIS_URL }, prefix: BARE_PREFIX });

async function addJob(req: Request, res: Response): Promise<void> {
  const job = await queue.add('send', req.body);
  res.json({ success: true, message: 'Message accepted', data: { job_id: job.id } });
}

const app = express();
app.use(express.json());
app.get('/', (_req, res) => void res.end());
app.post('/api/v1/messages/send', (req, res) => addJob(req, res));
app.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit());

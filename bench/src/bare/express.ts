/** The bare side of `accept`: Express with express.json and one `queue.add` per request. Nothing else. */
import express from 'express';
import { Queue } from 'bullmq';

const { PORT = '', REDIS_URL = '', BARE_PREFIX = '' } = process.env;
const queue = new Queue('send', { connection: { url: REDIS_URL }, prefix: BARE_PREFIX });

const app = express();
app.use(express.json());
app.get('/', (_req, res) => void res.end());
app.post('/api/v1/messages/send', async (req, res) => {
  const job = await queue.add('send', req.body);
  res.json({ success: true, message: 'Message accepted', data: { job_id: job.id } });
});
app.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit());

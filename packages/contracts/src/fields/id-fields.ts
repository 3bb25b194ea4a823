import { z } from 'zod';

export const jobId = z
  .string()
  .meta({ description: 'The id of the accepted message.', example: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const deviceId = z.string().meta({ example: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe' });

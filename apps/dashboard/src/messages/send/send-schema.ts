import { sendForm } from '@kurir/contracts/dashboard';

export const sendSchema = sendForm;

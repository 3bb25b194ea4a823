import { describeDriverConformance } from '@kurir/network/conformance';
import { whatsappHarness } from './testing/whatsapp-harness.js';

describeDriverConformance('WhatsApp', whatsappHarness);

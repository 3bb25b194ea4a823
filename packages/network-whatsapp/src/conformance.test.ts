import { describeDriverConformance } from '@kurir/network/conformance';
import { whatsappHarness } from '../test/whatsapp-harness.js';

describeDriverConformance('WhatsApp', whatsappHarness);

import { describeDriverConformance } from '@kurir/network/conformance';
import { simulatorHarness } from './testing/simulator-harness.js';

describeDriverConformance('simulator', simulatorHarness);

import { describeDriverConformance } from '@kurir/network/conformance';
import { simulatorHarness } from '../test/simulator-harness.js';

describeDriverConformance('simulator', simulatorHarness);

export { createSimulatorDriver, type SimulatorDriverOptions } from './driver/simulator-driver.js';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.js';

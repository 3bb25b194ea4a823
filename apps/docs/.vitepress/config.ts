export { default } from '../src/site/config.js';

export { default } from '../../src/theme/theme.js';

export { sumOfChunk } from './self-test';

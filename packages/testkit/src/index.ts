export { realData, realDataFolder } from './real-data.ts';

/** The option tables of all commands, for forms; whoever only lists commands loads them one by one (commands.ts). */
export { COMPARE } from './compare/table.ts';
export { CONVERT } from './convert/table.ts';
export { ENVELOPE } from './envelope/table.ts';
export { FIT } from './fit/table.ts';
export { INFO } from './info/table.ts';
export { POSE } from './pose/table.ts';
export { PUPPET } from './puppet/table.ts';
export { REDUCE } from './reduce/table.ts';
export type { Option, Table } from './request/table.ts';
export { SKELETON } from './skeleton/table.ts';
export { SLIDERS } from './sliders/table.ts';
export { STUDY } from './study/table.ts';
export { VIEW } from './view/table.ts';
export { VOLUME } from './volume/table.ts';

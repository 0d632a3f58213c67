/** What several packages of pelt share and no other program needs. */
export * from './extensions/index.ts';
export * from './history.ts';
export * from './linear-blend.ts';

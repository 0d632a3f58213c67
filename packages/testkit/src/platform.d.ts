/** The little of Node that finding real data needs; the scenes themselves need no platform. */

declare const process: {
  readonly env: Record<string, string | undefined>;
  getBuiltinModule(name: 'fs'): { existsSync(path: string | URL): boolean };
  getBuiltinModule(name: 'url'): { fileURLToPath(url: URL): string };
  getBuiltinModule(name: 'path'): { resolve(...paths: string[]): string };
};

interface ImportMeta {
  readonly url: string;
}

declare class URL {
  constructor(path: string, base: string);
}

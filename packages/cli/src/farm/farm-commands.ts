/** The commands that run others. Each is loaded when it is asked for; to list them takes nothing. */
import type { Command } from 'commander';

interface FarmCommand {
  readonly summary: string;
  /** Gives a command its arguments and its work; `finish` gets the exit code. */
  readonly define: () => Promise<(command: Command, finish: (code: number) => void) => void>;
}

export const FARM_COMMANDS: Readonly<Record<string, FarmCommand>> = {
  run: {
    summary: 'one job from a JSON file, for farm managers',
    define: async () => (await import('./run.ts')).defineRun,
  },
  batch: {
    summary: 'many jobs, here or on a queue, nothing computed twice',
    define: async () => (await import('./batch.ts')).defineBatch,
  },
  worker: {
    summary: 'take jobs of a batch from a queue',
    define: async () => (await import('./worker.ts')).defineWorker,
  },
  store: {
    summary: 'check a store of results, and mend it',
    define: async () => (await import('./store.ts')).defineStore,
  },
  mcp: {
    summary: 'tools for assistants, by the Model Context Protocol, on files in one folder',
    define: async () => (await import('../mcp/define-mcp.ts')).defineMcp,
  },
  serve: { summary: 'an HTTP API for jobs', define: async () => (await import('./serve.ts')).defineServe },
};

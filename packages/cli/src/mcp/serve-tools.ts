/**
 * One tool per command. Name, description and arguments come from its option table; a call is a job in a worker, whose
 * progress the client is told and which the client may cancel. Results are files in the folder; the answer is the report.
 */
import { readFileSync } from 'node:fs';
import { chdir } from 'node:process';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { requestFiles, requestJsonSchema } from '@pelt/jobs';
import { COMMANDS, type CommandName } from '@pelt/jobs/commands';
import { UsageError } from '@pelt/model';
import { exceededLimits } from '../exceeded-limits.ts';
import { plainError } from '../thread/plain-error.ts';
import { type JobWatcher, runInWorker } from '../thread/run-in-worker.ts';
import { AllowedFolder } from './allowed-folder.ts';

export interface ToolLimits {
  readonly threads: number;
  readonly memory?: number;
  readonly maxTime?: number;
}

const INSTRUCTIONS =
  'Turns mesh animations into real-time characters. Paths are relative to one folder, outside of which nothing is read or ' +
  'written. Begin with pelt_info to see what a file has; pelt_fit and pelt_skeleton make a skinned GLB of a mesh animation; ' +
  'pelt_compare measures a result against its original. Every answer is the JSON report of the command.';

/** Serves until the client goes. */
export async function serveTools(folder: string, limits: ToolLimits): Promise<void> {
  const allowed = new AllowedFolder(folder);
  // Names in results come from requests: relative paths keep the machine out of them.
  chdir(allowed.path);
  // Every call that runs listens for signals, and that is no leak.
  process.setMaxListeners(0);
  const server = new Server(
    { name: 'pelt', version: version() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await tools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken;
    const said: string[] = [];
    let last = -1;
    const watcher: JobWatcher = {
      warning: (message) => void said.push(message),
      progress: ({ stage, fraction, detail }) => {
        // The protocol wants it to rise; a client cannot use more than a hundred steps.
        if (progressToken === undefined || fraction < last + 0.01) return;
        last = fraction;
        const message = detail === undefined ? stage : `${stage}: ${detail}`;
        const update = { progressToken, progress: fraction, total: 1, message };
        void sendNotification({ method: 'notifications/progress', params: update }).catch(() => {});
      },
    };
    return call(params.name, params.arguments ?? {}, allowed, limits, watcher, said, signal);
  });
  const closed = new Promise<void>((done) => {
    server.onclose = () => done();
  });
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  await closed;
}

async function tools(): Promise<Tool[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, { summary, table }]) => {
      const { $schema: _, ...schema } = (await requestJsonSchema(name as CommandName)) as Record<string, unknown>;
      const { command: __, ...properties } = schema.properties as Record<string, unknown>;
      const required = (schema.required as string[]).filter((each) => each !== 'command');
      const writes = 'output' in (await table());
      return {
        name: `pelt_${name}`,
        description: summary,
        inputSchema: { ...schema, type: 'object' as const, properties: properties as Record<string, object>, required },
        annotations: { readOnlyHint: !writes, idempotentHint: true, openWorldHint: false },
      };
    }),
  );
}

async function call(
  tool: string,
  request: Readonly<Record<string, unknown>>,
  allowed: AllowedFolder,
  limits: ToolLimits,
  watcher: JobWatcher,
  said: readonly string[],
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const name = tool.replace(/^pelt_/, '');
    if (tool === name || !(name in COMMANDS)) throw new UsageError(`there is no tool '${tool}'`);
    const whole = { ...request, command: name };
    const { reads, writes } = await requestFiles(whole);
    for (const path of [...reads, ...writes]) allowed.require(path);
    const { threads, memory, maxTime } = limits;
    const order = { request: whole, threads, memory, maxTime, reportFile: undefined };
    const end = await runInWorker(order, watcher, signal);
    if ('error' in end) return failed(end.error.message);
    const exceeded = exceededLimits(end.report);
    if (exceeded !== undefined) return failed(exceeded);
    const warnings = said.map((message) => ({ type: 'text' as const, text: `warning: ${message}` }));
    return {
      content: [{ type: 'text', text: JSON.stringify(end.report) }, ...warnings],
      structuredContent: end.report as Record<string, unknown>,
    };
  } catch (error) {
    return failed(plainError(error).message);
  }
}

function failed(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `error: ${message}` }] };
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

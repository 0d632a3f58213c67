/** The generated examples, which lie beside the page; and files that the command which serves the page was given. */
import type { Mode } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import { unpackFrames } from './packed-frames.ts';
import { givePuppet } from './puppet-bench.ts';
import type { Workbench } from './workbench.ts';

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly mode: Mode;
  readonly fps: number;
  /** Its fit, where it was made in advance. */
  readonly rig?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Files of the animation, where they are not a mesh and a cache. */
  readonly inputs?: readonly string[];
  /** A motion and pairs of poses. */
  readonly puppet?: readonly string[];
}

/** Files that were given to `pelt studio`. */
export interface ServedFiles {
  readonly files: readonly string[];
  readonly inputs: readonly string[];
  readonly rig?: string;
  readonly fps?: number;
  readonly rest?: string;
}

export async function exampleList(): Promise<readonly Example[]> {
  return (await fetchFrom('./examples/index.json')).json();
}

export async function openExample(bench: Workbench, example: Example): Promise<void> {
  const { name, title, fps, mode, rig, options, inputs, puppet = [] } = example;
  const paths = inputs ?? [`${name}.obj`, `${name}.pc2`];
  const files = await Promise.all(paths.map((path) => fetchFile(`./examples/${path}`, path)));
  const fitted = rig === undefined ? undefined : await fetchFile(`./examples/${rig}`, rig);
  await bench.openAnimation({ files, inputs: paths, choices: inputs ? {} : { fps } }, fitted, title, { options });
  if (puppet.length > 0) {
    await givePuppet(bench, await Promise.all(puppet.map((path) => fetchFile(`./examples/${path}`, path))));
  }
  if (bench.store.state.document.mode !== mode) bench.store.amend({ mode });
}

/** What the server was given to open; undefined on static hosts, and where it was given nothing. */
export async function servedFiles(): Promise<ServedFiles | undefined> {
  const served = document.querySelector<HTMLMetaElement>('meta[name="pelt-served"]')?.content;
  return served ? (JSON.parse(served) as ServedFiles) : undefined;
}

export async function openServed(bench: Workbench, { files, inputs, rig, fps, rest }: ServedFiles): Promise<void> {
  const fetched = await Promise.all(files.map((path, k) => fetchFile(`./files/${k}`, path)));
  const fitted = fetched.find(({ path }) => path === rig);
  const own = fetched.filter(({ path }) => path !== rig);
  if (fps === undefined && rest === undefined && rig === undefined) return bench.offer(own);
  await bench.openAnimation({ files: own, inputs, choices: { fps, rest } }, fitted);
}

async function fetchFile(url: string, path: string): Promise<StoredFile> {
  // Caches of examples are packed; see there.
  if (url.startsWith('./examples/') && path.endsWith('.pc2')) {
    return { path, blob: new Blob([await unpackFrames(await (await fetchFrom(`${url}.packed`)).arrayBuffer())]) };
  }
  return { path, blob: await (await fetchFrom(url)).blob() };
}

async function fetchFrom(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot read '${url}': the server answers ${response.status}`);
  return response;
}

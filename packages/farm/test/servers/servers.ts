/** Real servers for tests, each on a free port of the loopback with its data in a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ADVICE = "run 'node scripts/servers/install.mjs', which installs it";

export interface TestServer {
  readonly url: string;
  readonly pid: () => number;
  /** Ends it as a power cut does, and starts it again on the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export const SERVERS: Readonly<Record<'redis' | 'postgres', () => Promise<TestServer>>> = { redis, postgres };

async function redis(): Promise<TestServer> {
  const program = find(['/usr/bin/redis-server', '/usr/local/bin/redis-server'], 'redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'pelt-redis-'));
  const port = await freePort();
  // Every write reaches the disk, as a queue that must not lose jobs needs it.
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    '--save',
    '',
  ];
  const start = () => spawn(program, args, { stdio: 'ignore' });
  return supervised(`redis://127.0.0.1:${port}`, port, folder, start);
}

async function postgres(): Promise<TestServer> {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
  const bin = versions.length > 0 ? `/usr/lib/postgresql/${versions.at(-1)}/bin` : '/usr/local/bin';
  const program = find([join(bin, 'postgres')], 'postgres');
  const folder = mkdtempSync(join(tmpdir(), 'pelt-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  // PostgreSQL refuses to run as root: then it runs as its own user.
  const user = process.getuid?.() === 0 ? accountOf('postgres') : undefined;
  if (user) {
    chmodSync(folder, 0o755);
    chownSync(folder, user.uid, user.gid);
  }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'pelt', '--no-sync'], {
    stdio: 'ignore',
    ...user,
    cwd: folder,
  });
  const args = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const start = () => spawn(program, args, { stdio: 'ignore', cwd: folder, ...user });
  return supervised(`postgres://pelt@127.0.0.1:${port}/postgres`, port, folder, start);
}

async function supervised(url: string, port: number, folder: string, start: () => ChildProcess): Promise<TestServer> {
  let server = start();
  await whenOpen(port);
  const end = async (signal: NodeJS.Signals) => {
    const closed = new Promise((done) => server.once('close', done));
    server.kill(signal);
    await closed;
  };
  return {
    url,
    pid: () => server.pid ?? 0,
    crash: async () => {
      await end('SIGKILL');
      // The children of PostgreSQL notice that it is gone within moments; it does not start before.
      for (let tries = 0; ; tries++) {
        server = start();
        const died = new Promise<false>((done) => server.once('close', () => done(false)));
        if (await Promise.race([whenOpen(port).then(() => true as const), died])) return;
        if (tries === 20) throw new Error(`${url} does not start again`);
        await new Promise((done) => setTimeout(done, 500));
      }
    },
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function find(places: readonly string[], name: string): string {
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error(`${name} is not installed; ${ADVICE}`);
  return found;
}

function accountOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })));
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Waits until somebody answers; tests have their own limit of time. */
async function whenOpen(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done(true);
      });
      socket.on('error', () => done(false));
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

// @ts-check
/** Real servers for tests and benchmarks, each on a free port of the loopback with its data in a folder of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ADVICE = "run 'node scripts/servers/install.mjs', which installs it";

/**
 * @typedef {object} TestServer
 * @property {string} url
 * @property {() => Promise<void>} crash  ends it as a power cut does, and starts it again on the same data
 * @property {() => Promise<void>} stop
 */

/** @type {Readonly<Record<'redis' | 'postgres', () => Promise<TestServer>>>} */
export const SERVERS = { redis, postgres };

/** @returns {Promise<TestServer>} */
async function redis() {
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

/** @returns {Promise<TestServer>} */
async function postgres() {
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

/**
 * @param {string} url
 * @param {number} port
 * @param {string} folder
 * @param {() => import('node:child_process').ChildProcess} start
 * @returns {Promise<TestServer>}
 */
async function supervised(url, port, folder, start) {
  let server = start();
  await whenOpen(port);
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    const closed = new Promise((done) => server.once('close', done));
    server.kill(signal);
    await closed;
  };
  return {
    url,
    crash: async () => {
      await end('SIGKILL');
      // The children of PostgreSQL notice that it is gone within moments; it does not start before.
      for (let tries = 0; ; tries++) {
        server = start();
        const died = new Promise((done) => server.once('close', () => done(false)));
        if (await Promise.race([whenOpen(port).then(() => true), died])) return;
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

/**
 * @param {readonly string[]} places
 * @param {string} name
 */
function find(places, name) {
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error(`${name} is not installed; ${ADVICE}`);
  return found;
}

/** @param {string} name */
function accountOf(name) {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })));
  return { uid, gid };
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * Waits until somebody answers; tests have their own limit of time.
 *
 * @param {number} port
 */
async function whenOpen(port) {
  for (;;) {
    const open = await new Promise((done) => {
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

/**
 * A farm under load and faults: two thousand jobs on Redis with four workers that are killed, stopped and started again
 * while the server dies and the store rots. A job is a shell script, so that what is measured is the farm.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVERS } from '../../../scripts/servers/start.mjs';

const JOBS = Number(process.env.PELT_LOAD_JOBS ?? 2000);
const WORKERS = 4;
const LEASE = 3000;
/** Milliseconds between two faults: every twelve seconds a worker is killed, another stopped, and a result rots. */
const FAULT_EVERY = 4000;
const WORKER = fileURLToPath(new URL('./load-worker.mjs', import.meta.url));

/** Converts by copying, slowly; ends with its worker, as `pelt run` does. $1 is `run`, $2 the request. */
const JOB = `
input=$(sed -n 's/.*"inputs":\\["\\([^"]*\\)".*/\\1/p' "$2")
output=$(sed -n 's/.*"output":"\\([^"]*\\)".*/\\1/p' "$2")
worker=$PPID
sleep 0.05
kill -0 "$worker" || exit 1
{ echo converted; cat "$input"; } > "$output"
echo "$output" >> "$PELT_LOAD_LOG"
echo '{"type":"done","report":{}}'
`;

export async function loadRows(context, folder) {
  const name = `${JOBS} jobs on redis, four workers, faults`;
  if (!context.wants(name)) return [];
  context.log(name);
  const { openEngine, openStore, readBatch, runBatch } = await import('@pelt/farm');
  const { NodeFiles } = await import('@pelt/farm/files');
  const place = join(folder, 'load');
  mkdirSync(place);
  const script = join(place, 'job.sh');
  writeFileSync(script, JOB);
  const log = join(place, 'runs.log');
  appendFileSync(log, '');
  const lines = Array.from({ length: JOBS }, (_, k) => {
    writeFileSync(join(place, `${k}.obj`), `v ${k} 0 0\n`);
    const paths = { inputs: [join(place, `${k}.obj`)], output: join(place, 'out', `${k}.ply`) };
    return JSON.stringify({ id: String(k), command: 'convert', ...paths });
  });
  const server = await SERVERS.redis();
  const start = () =>
    spawn(process.execPath, [WORKER, server.url, join(place, 'store'), script, String(LEASE)], {
      stdio: 'ignore',
      env: { ...process.env, PELT_LOAD_LOG: log },
    });
  const workers = Array.from({ length: WORKERS }, start);
  const faults = { killed: 0, stopped: 0, flipped: 0, servers: 0 };
  let count = 0;
  const timer = setInterval(() => {
    const k = count % WORKERS;
    switch (count++ % 3) {
      case 0:
        workers[k].kill('SIGKILL');
        workers[k] = start();
        faults.killed++;
        break;
      case 1: {
        const stopped = workers[k];
        stopped.kill('SIGSTOP');
        setTimeout(() => stopped.kill('SIGCONT'), 2 * LEASE);
        faults.stopped++;
        break;
      }
      default:
        if (flip(join(place, 'store/objects'), count)) faults.flipped++;
    }
  }, FAULT_EVERY);
  // Once, in the middle of it.
  const crash = setTimeout(() => void server.crash().then(() => faults.servers++), 5000);
  try {
    const store = await openStore(join(place, 'store'));
    const engine = await openEngine(server.url, store, { pelt: [], jobs: 1, threads: 1, version: 'load' });
    const jobs = await readBatch(lines.join('\n'), 'load');
    const signal = new AbortController().signal;
    const ends = await runBatch(jobs, { engine, store, files: new NodeFiles(), version: 'load', signal });
    await engine.close();
    const lost = ends.filter(({ state }) => state !== 'done' && state !== 'cached').length;
    const wrong = ends.filter(({ state }, k) => state !== 'failed' && !isRight(place, k)).length;
    const runs = readFileSync(log, 'utf8').trim().split('\n').length;
    context.log(`${runs} runs; ${JSON.stringify(faults)}`);
    return [
      { case: name, metric: 'jobs lost', value: lost, unit: '', target: 'value <= 0' },
      { case: name, metric: 'jobs wrong', value: wrong, unit: '', target: 'value <= 0' },
      { case: name, metric: 'work done twice', value: (100 * (runs - JOBS)) / JOBS, unit: '%', target: 'value <= 1' },
    ];
  } finally {
    clearInterval(timer);
    clearTimeout(crash);
    for (const worker of workers) worker.kill('SIGKILL');
    await server.stop();
  }
}

function isRight(place, k) {
  const path = join(place, 'out', `${k}.ply`);
  return existsSync(path) && readFileSync(path, 'utf8') === `converted\nv ${k} 0 0\n`;
}

/** Flips a bit of one result. */
function flip(objects, at) {
  const keys = existsSync(objects) ? readdirSync(objects) : [];
  if (keys.length === 0) return false;
  const folder = join(objects, keys[(at * 7919) % keys.length]);
  const name = readdirSync(folder).find((file) => file.endsWith('.ply'));
  if (!name) return false;
  const bytes = readFileSync(join(folder, name));
  bytes[0] ^= 1;
  writeFileSync(join(folder, name), bytes);
  return true;
}

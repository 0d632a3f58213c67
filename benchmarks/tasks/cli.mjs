/**
 * The command line as users run it, built and in a process of its own: what it takes to start, beside the start of Node
 * itself in the same moments, and a fit from file to file beside the published figure.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { creatureScene } from '@pelt/testkit';
import { median } from '../harness/measure.mjs';
import { overheadOf, peltOf, runCommand } from '../harness/run-command.mjs';
import { RIGID } from '../published/decomposition.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../..'));
const NODE = [process.execPath, '-e', '0'];
const RUNS = 9;
const DATA = 'horse-gallop';
const BONES = 20;

/** What is started, and how many times as long as Node alone it may take. */
const STARTS = [
  { name: 'pelt --help', args: ['--help'], most: 2 },
  { name: 'pelt info, a small OBJ', args: ['info', 'rest.obj'], most: 3 },
];
const FIT = ['fit', 'rest.obj', 'clip.pc2', '--bones', '8', '-o', 'out.glb', '--json', '--quiet'];
/** Seconds outside reading, fitting and writing, in starts of Node. */
const MOST_OVERHEAD = 3;

export default {
  name: 'cli',
  needs: [`${DATA}/rest.obj`, `${DATA}/clip.pc2`],
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
    try {
      const { sequence } = creatureScene({ frames: 12 });
      const [obj] = writeObj(sequence.rest, { name: 'rest.obj' });
      writeFileSync(join(folder, 'rest.obj'), obj.bytes);
      writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence));
      return [...starts(context, folder), ...overhead(context, folder), ...fromFileToFile(context, folder)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Runs of two commands in turn, after one of each that brings their files into the system's memory. */
function inTurn(command, rival, folder) {
  const runs = [[], []];
  for (let k = -1; k < RUNS; k++) {
    [command, rival].forEach((words, side) => {
      const ended = runCommand(words, { cwd: folder });
      if (k >= 0) runs[side].push(ended);
    });
  }
  return runs;
}

/** Processor time, which other work on the machine hardly changes. */
function starts(context, folder) {
  return STARTS.flatMap(({ name, args, most }) => {
    if (!context.wants(name)) return [];
    context.log(name);
    const runs = inTurn([...PELT, ...args], NODE, folder);
    const [value, reference] = runs.map((side) => 1000 * median(side.map(({ processor }) => processor)));
    const [wall, bare] = runs.map((side) => 1000 * median(side.map(({ wall }) => wall)));
    const beside = { unit: 'ms', referenceName: 'node -e 0' };
    return [
      { case: name, metric: 'processor time', value, reference, ...beside, target: `ratio <= ${most}` },
      { case: name, metric: 'wall time', value: wall, reference: bare, ...beside },
    ];
  });
}

function overhead(context, folder) {
  const name = 'pelt fit, a small clip';
  if (!context.wants(name)) return [];
  context.log(name);
  const [fits, bare] = inTurn([...PELT, ...FIT], NODE, folder);
  return [
    {
      case: name,
      metric: 'outside reading, fitting and writing',
      value: 1000 * median(fits.map(overheadOf)),
      unit: 'ms',
      reference: 1000 * median(bare.map(({ wall }) => wall)),
      referenceName: 'node -e 0',
      target: `ratio <= ${MOST_OVERHEAD}`,
    },
  ];
}

function fromFileToFile(context, folder) {
  const name = `pelt fit, ${DATA} ${BONES}`;
  if (!context.wants(name)) return [];
  context.log(name);
  const inputs = ['rest.obj', 'clip.pc2'].map((file) => context.data(`${DATA}/${file}`));
  const args = ['fit', ...inputs, '--bones', BONES, '-o', 'horse.glb', '--json', '--quiet'].map(String);
  const { error } = JSON.parse(runCommand([...PELT, ...args], { cwd: folder }).stdout);
  const [published] = RIGID.find(({ data, bones }) => data === DATA && bones === BONES).ssdr;
  return [
    {
      case: name,
      metric: 'E_RMS',
      value: error.eRms,
      unit: '',
      reference: published,
      referenceName: 'published',
      target: 'ratio <= 1',
    },
  ];
}

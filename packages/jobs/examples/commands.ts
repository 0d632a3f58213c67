import { COMMANDS, flagOf } from '@pelt/jobs/commands';

// The options of a command as data: for a form on a page, or for the flags of a command line.
const { options } = await COMMANDS.reduce.table();
if (flagOf('maxError') !== '--max-error') throw new Error('names become flags');
if (flagOf('loops', options.loops) !== '--no-loops') throw new Error('what is on by default is switched off');
if (options.compress.kind.choices?.join() !== 'none,meshopt') throw new Error('kinds know their choices');

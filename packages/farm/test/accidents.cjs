/**
 * Accidents for the processes of the command, loaded by NODE_OPTIONS=--require; PELT_ACCIDENT says which:
 *
 *   kill NAME      the process of the job with that output ends by SIGKILL
 *   abort NAME     and by SIGABRT, as Node does when its heap is full
 *   edit NAME FILE TEXT   when that job starts, a file gets another content
 *   full NAME      the disk is full for what the batch does for the job with that output
 */
const fs = require('node:fs');
const { basename } = require('node:path');

const [what, name, file, text] = (process.env.PELT_ACCIDENT ?? '').split('|');
const [, , command] = process.argv;

if (command === 'run' && fs.existsSync('job.json')) {
  const { output = '' } = JSON.parse(fs.readFileSync('job.json', 'utf8'));
  if (basename(output) === name) {
    if (what === 'kill') process.kill(process.pid, 'SIGKILL');
    if (what === 'abort') process.abort();
    if (what === 'edit') fs.writeFileSync(file, text);
  }
}

if (command === 'batch' && what === 'full') {
  const write = fs.promises.writeFile;
  fs.promises.writeFile = async (path, content, ...rest) => {
    if (String(content).includes(name))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
    return write(path, content, ...rest);
  };
  require('node:module').syncBuiltinESMExports();
}

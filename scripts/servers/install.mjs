// @ts-check
/**
 * Sees to it that the tests of the farm have their servers, Redis and PostgreSQL; where there is none, it is installed by
 * the package manager of Debian and its kin. The servers themselves are started by the tests, on the loopback.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const WANTED = [
  { name: 'redis-server', places: ['/usr/bin/redis-server', '/usr/local/bin/redis-server'] },
  { name: 'postgresql', places: ['/usr/lib/postgresql', '/usr/local/bin/postgres'] },
];

const missing = WANTED.filter(({ places }) => !places.some((place) => existsSync(place))).map(({ name }) => name);
if (missing.length > 0) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} args */
  const apt = (...args) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', ...missing);
  if (!install() && !(apt('update') && install())) {
    console.error(`cannot install ${missing.join(' and ')}; install them by hand for the tests of packages/farm`);
    process.exit(1);
  }
}

/** How far what one reader plays is from what another does, over the size of the model. */

/** Moments of a clip that are compared: even ones, which mostly lie between keys, and both ends. */
const MOMENTS = 7;

/** Moments that are compared, for readers that have to know them before. */
export function momentsOf(own, { moments = MOMENTS, clips = own.clips.length } = {}) {
  const all = [[null, 0]];
  for (const clip of own.clips.slice(0, clips)) {
    for (let m = 0; m < moments; m++) all.push([clip.name, momentOf(clip, m, moments)]);
  }
  return all;
}

function momentOf({ start, end }, m, moments) {
  return start + ((end - start) * m) / Math.max(1, moments - 1);
}

/**
 * @param options  moments of each clip, how many clips, and whether the pose without a clip counts, too
 * @returns largest distance of a corner over the diagonal of the rest pose, and what else differs
 */
export function compareReaders(own, other, { moments = MOMENTS, clips = own.clips.length, rest: still = true } = {}) {
  const differences = [];
  const pairs = matchParts(own, other, differences);
  const rest = own.play(-1, 0);
  const size = diagonalOf(rest);
  const compared = still || own.clips.length === 0;
  let worst = { distance: compared ? distanceOf(pairs, rest, other.play(-1, 0)) / size : 0, where: 'rest' };
  own.clips.slice(0, clips).forEach((clip, k) => {
    const found = other.clips.findIndex(({ name }) => word(name) === word(clip.name));
    if (found < 0) {
      differences.push(`clip '${clip.name}' is missing`);
      return;
    }
    for (let m = 0; m < moments; m++) {
      const time = momentOf(clip, m, moments);
      const distance = distanceOf(pairs, own.play(k, time), other.play(found, time)) / size;
      if (distance > worst.distance) worst = { distance, where: `${clip.name} at ${time.toFixed(3)} s` };
    }
  });
  if (other.clips.length > own.clips.length) differences.push(`${other.clips.length - own.clips.length} clips more`);
  const known = new Set(other.materials.map((name) => word(name.replace(/\.\d{3}$/, ''))));
  for (const name of new Set(own.materials)) {
    if (name !== '' && !known.has(word(name.replace(/\.\d{3}$/, ''))))
      differences.push(`material '${name}' is missing`);
  }
  return { ...worst, size, differences };
}

/** Parts by their names, else by their place among those of as many corners. */
function matchParts(own, other, differences) {
  const left = spans(other.parts);
  return spans(own.parts).flatMap((part) => {
    let at = left.findIndex(({ name, corners }) => name === part.name && corners === part.corners);
    if (at < 0)
      at = left.findIndex(({ name, corners }) => plain(name) === plain(part.name) && corners === part.corners);
    // Some readers leave out triangles without an area.
    if (at < 0) at = left.findIndex(({ name }) => plain(name) === plain(part.name));
    if (at < 0) at = left.findIndex(({ corners }) => corners === part.corners);
    if (at < 0) {
      differences.push(`part '${part.name}' of ${part.corners} corners is missing`);
      return [];
    }
    const [found] = left.splice(at, 1);
    return [{ from: part, to: found }];
  });
}

function spans(parts) {
  let first = 0;
  return parts.map(({ name, corners }) => {
    first += corners;
    return { name: name.replace(/[\s.:/[\]]/g, ''), corners, first: first - corners };
  });
}

/** Names as formats have them that allow letters, digits and underscores alone. */
function word(name) {
  return name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
}

/** Names without what programs add to repeated ones. */
function plain(name) {
  return name.replace(/(mesh|\d+|_)*$/, '');
}

/** Corner by corner; where a reader has left out some, the rest to the nearest. */
function distanceOf(pairs, a, b) {
  let most = 0;
  const between = (i, k) => Math.hypot(a[i] - b[k], a[i + 1] - b[k + 1], a[i + 2] - b[k + 2]);
  for (const { from, to } of pairs) {
    for (let c = 0; c < from.corners; c++) {
      const i = 3 * (from.first + c);
      let distance = Number.POSITIVE_INFINITY;
      if (from.corners === to.corners) distance = between(i, 3 * (to.first + c));
      else for (let d = 0; d < to.corners; d++) distance = Math.min(distance, between(i, 3 * (to.first + d)));
      if (!(distance <= most)) most = distance;
    }
  }
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

function diagonalOf(positions) {
  const [min, max] = [[], []];
  for (let k = 0; k < positions.length; k++) {
    const c = k % 3;
    min[c] = Math.min(min[c] ?? positions[k], positions[k]);
    max[c] = Math.max(max[c] ?? positions[k], positions[k]);
  }
  return Math.hypot(...max.map((value, c) => value - min[c]));
}

import { pairsToDocument, resolvePairs } from '@pelt/skin/puppet';
import { dogCharacter } from '@pelt/testkit';

const { rig, registration } = dogCharacter(0.1);
const document = pairsToDocument({ pairs: registration, bones: rig.bones });
const pairs = resolvePairs({ document, sources: { rig, clips: [], motions: new Map() } });
if (pairs.pairs.length !== registration.pairs.length) throw new Error('a pair is missing');

import { pairsToDocument } from '@pelt/skin/puppet';
import { dogCharacter } from '@pelt/testkit';

const { rig, registration } = dogCharacter(0.1);
const { pairs } = pairsToDocument({ pairs: registration, bones: rig.bones });
if (!('transforms' in pairs[0].character)) throw new Error('the pose is not in the document');

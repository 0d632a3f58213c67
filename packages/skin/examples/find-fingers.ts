import { findFingers } from '@pelt/skin/puppet';

const names = ['LeftHand', 'LeftHandIndex1', 'LeftHandIndex2', 'LeftHandIndex3'];
const [finger] = findFingers(names);
if (finger.side !== 'left' || finger.joints.join() !== '1,2,3') throw new Error('the index finger is missing');

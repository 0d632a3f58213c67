import { LiveCalibration } from '@pelt/skin/puppet/runtime';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';

const live = new LiveCalibration(PERFORMER_JOINTS);
const standing = performerPose({}, { headingDegrees: 20 });
const found = Array.from({ length: 31 }, (_, t) => live.add(standing, undefined, t / 30)).find(Boolean);
if (!found || Math.abs(found.yaw - 20) > 0.1)
  throw new Error('the performer has stood for a second, turned by 20 degrees');

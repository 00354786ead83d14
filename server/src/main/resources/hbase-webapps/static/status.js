// Draws the charts of the status page from this server's own numbers. No library, no other host.
//
// A figure names what it draws: data-number is one of /rs-numbers, a snapshot with its time, as it is, or data-per of it: per second, or
// percent of another number, since the snapshot before. data-bean and data-metric are an attribute of a bean, which JMX keeps for ten seconds.
'use strict';

const NUMBERS_MILLIS = 2500; // half of a snapshot's period: each is seen
const BEANS_MILLIS = 10000;
const POINTS = 120;
const WIDTH = 240;
const HEIGHT = 60;

const figures = Array.from(document.querySelectorAll('figure')).map((element) => ({ element, points: [], ...element.dataset }));
let last = null;

function draw(figure, value) {
  figure.points.push(value);
  figure.points = figure.points.slice(-POINTS);
  const most = Math.max(1e-9, ...figure.points);
  const first = POINTS - figure.points.length;
  const points = figure.points.map((point, i) =>
    `${((first + i) * WIDTH / (POINTS - 1)).toFixed(1)},${(HEIGHT - 2 - point * (HEIGHT - 4) / most).toFixed(1)}`);
  figure.element.querySelector('polyline').setAttribute('points', points.join(' '));
  figure.element.querySelector('b').textContent = value.toLocaleString(undefined, { maximumFractionDigits: 1 });
}

// What a figure draws of a snapshot; null when that is not known.
function point(figure, before, now) {
  if (figure.per === undefined) {
    return now[figure.number];
  }
  if (before === null || now.millis < before.millis) {
    return null; // the server has begun anew
  }
  const more = now[figure.number] - before[figure.number];
  if (figure.per === 'second') {
    return more * 1000 / (now.millis - before.millis);
  }
  const whole = now[figure.per] - before[figure.per];
  return whole > 0 ? more * 100 / whole : null;
}

async function json(url) {
  return (await fetch(url, { cache: 'no-store' })).json();
}

async function lookAtNumbers() {
  const now = await json('rs-numbers');
  if (last !== null && last.millis === now.millis) {
    return;
  }
  for (const figure of figures.filter((each) => each.number !== undefined)) {
    const value = point(figure, last, now);
    if (value !== null) {
      draw(figure, value);
    }
  }
  last = now;
}

async function lookAtBean(bean) {
  const values = (await json('jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=' + bean)).beans[0];
  for (const figure of figures.filter((each) => each.bean === bean)) {
    if (values !== undefined && typeof values[figure.metric] === 'number') {
      draw(figure, values[figure.metric]);
    }
  }
}

function every(millis, look) {
  const tick = () => look().catch((error) => console.warn('no numbers', error));
  tick();
  setInterval(tick, millis);
}

every(NUMBERS_MILLIS, lookAtNumbers);
for (const bean of new Set(figures.map((figure) => figure.bean).filter((bean) => bean !== undefined))) {
  every(BEANS_MILLIS, () => lookAtBean(bean));
}

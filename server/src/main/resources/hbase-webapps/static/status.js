// Draws the charts of the status page from this server's own /jmx. No library, no other host.
'use strict';

const PERIOD_MILLIS = 5000;
const SAME_MILLIS = 12500; // JMX keeps a value for ten seconds: that it is the same says nothing before
const POINTS = 120;
const WIDTH = 240;
const HEIGHT = 60;

const figures = Array.from(document.querySelectorAll('figure[data-metric]')).map((element) => ({
  element, bean: element.dataset.bean, metric: element.dataset.metric, isRate: element.dataset.kind === 'rate', last: null, points: [],
}));

function add(figure, value, millis) {
  const last = figure.last;
  if (figure.isRate && last !== null && value === last.value && millis - last.millis < SAME_MILLIS) {
    return;
  }
  figure.last = { value, millis };
  if (!figure.isRate) {
    figure.points.push(value);
  } else if (last !== null && millis > last.millis) {
    figure.points.push(Math.max(0, (value - last.value) * 1000 / (millis - last.millis)));
  }
  figure.points = figure.points.slice(-POINTS);
}

function draw(figure) {
  if (figure.points.length === 0) {
    return;
  }
  const most = Math.max(1e-9, ...figure.points);
  const first = POINTS - figure.points.length;
  const points = figure.points.map((value, i) =>
    `${((first + i) * WIDTH / (POINTS - 1)).toFixed(1)},${(HEIGHT - 2 - value * (HEIGHT - 4) / most).toFixed(1)}`);
  figure.element.querySelector('polyline').setAttribute('points', points.join(' '));
  figure.element.querySelector('b').textContent =
    figure.points[figure.points.length - 1].toLocaleString(undefined, { maximumFractionDigits: 1 });
}

async function look(bean) {
  const reply = await fetch('jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=' + bean, { cache: 'no-store' });
  const values = (await reply.json()).beans[0];
  const millis = Date.now();
  for (const figure of figures.filter((each) => each.bean === bean)) {
    if (values !== undefined && typeof values[figure.metric] === 'number') {
      add(figure, values[figure.metric], millis);
      draw(figure);
    }
  }
}

function tick() {
  for (const bean of new Set(figures.map((figure) => figure.bean))) {
    look(bean).catch((error) => console.warn('no numbers of', bean, error));
  }
}

tick();
setInterval(tick, PERIOD_MILLIS);

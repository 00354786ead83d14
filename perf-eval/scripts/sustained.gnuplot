# Variables: tsv (lines of SustainedLoad), svg (the picture to write).
set terminal svg size 1000,900 font "sans,12"
set output svg
set datafile separator tab
set key autotitle columnheader top left
set grid
set lmargin 12
set multiplot layout 3,1
set yrange [0:*]
set ylabel "rows/s"
plot tsv using "second":"rows" with lines title "rows acknowledged per second"
set ylabel "ms"
plot tsv using "second":(column("put_p99_us") / 1000) with lines title "synchronous puts, 99th percentile", \
     tsv using "second":(column("put_p50_us") / 1000) with lines title "median"
set ylabel "files; MB / 100"
set xlabel "seconds"
plot tsv using "second":"store_files" with steps title "files of the store", \
     tsv using "second":(column("memstore_mb") / 100) with lines title "memtables, MB / 100", \
     tsv using "second":(column("rss_mb") / 100) with lines title "resident, MB / 100"
unset multiplot

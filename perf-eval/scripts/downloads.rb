# Run by downloads: makes the tables that $GRAMPUS_TODO describes, in JSON whose bytes are hexadecimal digits.
require 'json'
todo = JSON.parse(File.read(ENV.fetch('GRAMPUS_TODO'))); nil
def bytes(hex); [hex].pack('H*'); end
# A process of Java: what Ruby itself starts here, JRuby loses at its end.
def run(command); java.lang.ProcessBuilder.new(command).inheritIO.start.waitFor == 0 or raise "failed: #{command.join(' ')}"; end
create todo['table'], 'f', SPLITS => todo['splits'].map { |row| bytes(row) }
run todo['imports'][0]
flush todo['table']
snapshot todo['table'], todo['snapshot']
run todo['imports'][1]
todo['deleted'].each { |row| deleteall todo['table'], bytes(row) }; nil
todo['tables'].each { |table, cells| create table, 'f'; cells.each { |row, column, value| put table, bytes(row), bytes(column), bytes(value), todo['timestamp'] } }; nil

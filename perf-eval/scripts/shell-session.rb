# Run by shell-session: commands of HBase's shell, one on a line, against an empty server.
$admin = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(org.apache.hadoop.hbase.HBaseConfiguration.create).getAdmin
def name(table); org.apache.hadoop.hbase.TableName.valueOf(table); end
def await(what); limit = Time.now + 60; until yield; raise "#{what}: not within 60 s" if Time.now > limit; sleep 0.05; end; end
def await_regions(table, count); await("#{count} regions of #{table}") { $admin.getRegions(name(table)).map { |r| $admin.getRegionMetrics($admin.getRegionServers.first, name(table)).map(&:getNameAsString).include?(r.getRegionNameAsString) }.count(true) == count }; end
def await_compacted(table); await("compaction of #{table}") { $admin.getCompactionState(name(table)).to_s == 'NONE' }; end
def reported(table); $admin.getClusterMetrics.getLiveServerMetrics.values.first.getRegionMetrics.values.any? { |r| r.getNameAsString.start_with?("#{table},") }; end
create 't', {NAME => 'f', VERSIONS => 3}, {NAME => 'g', TTL => 86400}
create 'parts', 'f', SPLITS => ['g', 'p']
list
exists 't'
exists 'nothing'
describe 't'
put 't', 'r1', 'f:a', 'one', 1
put 't', 'r1', 'f:a', 'two', 2
put 't', 'r1', 'g:b', 'three', 3
put 't', 'r2', 'f:a', 'four', 4
put 't', 'r3', 'f:c', 'five', 5
get 't', 'r1'
get 't', 'r1', {COLUMN => 'f:a', VERSIONS => 3}
scan 't'
scan 't', {COLUMNS => ['f'], LIMIT => 2, STARTROW => 'r2'}
scan 't', {FILTER => "PrefixFilter('r1') AND QualifierFilter(=, 'binary:a')"}
scan 't', {REVERSED => true, RAW => true, VERSIONS => 5}
count 't'
count 't', INTERVAL => 2, CACHE => 10
incr 't', 'n', 'f:count', 5
incr 't', 'n', 'f:count', 37
get_counter 't', 'n', 'f:count'
append 't', 'r3', 'f:c', ' and more'
get 't', 'r3', 'f:c:toString', 'f:none'
flush 't'
flush 't', 'f'
delete 't', 'r2', 'f:a', 4
deleteall 't', 'n'
flush 't'
scan 't', {COLUMNS => ['f:a', 'g:b']}
compact 't'
major_compact 't'
major_compact 't', 'f'
await_compacted 't'
compaction_state 't'
scan 't', {COLUMNS => ['f:a', 'g:b']}
snapshot 't', 's1'
put 't', 'r4', 'f:a', 'after the snapshot', 6
snapshot 't', 's2', {SKIP_FLUSH => true}
list_snapshots 's1'
list_table_snapshots 't', 's2'
clone_snapshot 's1', 'copy'
scan 'copy'
put 'copy', 'r9', 'f:a', 'of the copy', 9
disable 't'
is_disabled 't'
restore_snapshot 's1'
enable 't'
is_enabled 't'
scan 't'
disable 't'
snapshot 't', 's3'
enable 't'
delete_snapshot 's2'
list_snapshots 's2'
list_snapshots 's3'
split 't', 'r2'
await_regions 't', 2
get_splits 't'
scan 't'
snapshot 't', 's4'
clone_snapshot 's4', 'halves'
get_splits 'halves'
scan 'halves'
major_compact 'halves'
await_compacted 'halves'
scan 'halves'
alter 't', NAME => 'f', VERSIONS => 5
alter 't', 'h'
alter 't', 'delete' => 'g'
describe 't'
put 't', 'r1', 'h:x', 'new family', 7
scan 't'
disable 't'
drop 't'
scan 'copy'
scan 'halves'
restore_snapshot 's1'
clone_snapshot 's1', 't2'
scan 't2'
delete_all_snapshot 's3'
delete_snapshot 's4'
delete_table_snapshots 't'
list_snapshots
scan 't'
scan 'halves'
put 'parts', 'a', 'f:q', '1', 1
put 'parts', 'h', 'f:q', '2', 1
put 'parts', 'z', 'f:q', '3', 1
get_splits 'parts'
truncate_preserve 'parts'
get_splits 'parts'
count 'parts'
put 'parts', 'h', 'f:q', '4', 1
truncate 'parts'
get_splits 'parts'
count 'parts'
create_namespace 'ns', {'owner' => 'shell'}
create 'ns:t', 'f'
list_namespace_tables 'ns'
describe_namespace 'ns'
put 'ns:t', 'r', 'f:q', 'v', 1
flush 'ns:t'
snapshot 'ns:t', 'ns-snapshot'
disable 'ns:t'
drop 'ns:t'
clone_snapshot 'ns-snapshot', 'ns:t'
scan 'ns:t'
disable 'ns:t'
drop 'ns:t'
delete_snapshot 'ns-snapshot'
drop_namespace 'ns'
list_namespace
clone_table_schema 'copy', 'schema'
describe 'schema'
balance_switch true
balancer
balancer_enabled
normalizer_switch false
splitormerge_enabled 'SPLIT'
compaction_switch true
catalogjanitor_enabled
wal_roll $admin.getRegionServers.first.getServerName
list_deadservers
await('the next report of the server') { reported('schema') && !reported('ns:t') }
status 'simple'
status 'detailed'
rit
create 'm', {NAME => 'f', VERSIONS => 3}, SPLITS => ['m']
put 'm', 'a', 'f:q', '1', 1
put 'm', 'z', 'f:q', '2', 2
get_table 'm'
alter_async 'm', NAME => 'g'
await('the new family') { $admin.getRegions(name('m')).size == 2 && $admin.getDescriptor(name('m')).hasColumnFamily('g'.to_java_bytes) }
alter_status 'm'
alter 'm', MAX_FILESIZE => '134217728', METHOD => 'table_att'
alter 'm', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
alter 'm', CONFIGURATION => {'hbase.hregion.scan.loadColumnFamiliesOnDemand' => 'true'}
alter 'm', NAME => 'g', BLOOMFILTER => 'ROWCOL', COMPRESSION => 'SNAPPY', DATA_BLOCK_ENCODING => 'FAST_DIFF', IN_MEMORY => 'true'
alter 'm', NAME => 'g', MIN_VERSIONS => 1, KEEP_DELETED_CELLS => 'TTL', TTL => 1000
alter 'm', DURABILITY => 'ASYNC_WAL', SPLIT_ENABLED => false
describe 'm'
scan 'm', {TIMERANGE => [1, 2]}
scan 'm', {ROWPREFIXFILTER => 'z'}
scan 'm', {STARTROW => 'a', STOPROW => 'b', MAXLENGTH => 30, FORMATTER => 'toString'}
scan 'm', {METRICS => ['ROWS_SCANNED', 'ROWS_FILTERED']}
scan 'm', {ISOLATION_LEVEL => 'READ_UNCOMMITTED', CACHE_BLOCKS => false, CACHE => 2, BATCH => 1}
get 'm', 'a', {TIMERANGE => [1, 2], FILTER => "ValueFilter(=, 'binary:1')"}
scan 'hbase:meta', {COLUMNS => 'table:state', ROWPREFIXFILTER => 'm'}
deleteall 'm', {ROWPREFIXFILTER => 'z', CACHE => 100}
put 'm', 'z', 'f:q', '3', 3, {ATTRIBUTES => {'mykey' => 'myvalue'}}
put 'm', 'z', 'f:ttl', '3', 3, {TTL => 100000000}
scan 'm'
unassign $admin.getRegions(name('m')).first.getRegionNameAsString
assign $admin.getRegions(name('m')).first.getEncodedName
move $admin.getRegions(name('m')).first.getEncodedName
scan 'm'
splitormerge_switch 'SPLIT', false
splitormerge_enabled 'SPLIT'
splitormerge_switch 'SPLIT', true
merge_region $admin.getRegions(name('m'))[0].getEncodedName, $admin.getRegions(name('m'))[1].getEncodedName, true
await('the merged region') { $admin.getRegions(name('m')).size == 1 }
scan 'm'
compact_rs $admin.getRegionServers.first.getServerName
compact_rs $admin.getRegionServers.first.getServerName, true
alter_namespace 'default', {METHOD => 'set', 'k' => 'v'}
describe_namespace 'default'
alter_namespace 'default', {METHOD => 'unset', NAME => 'k'}
balance_switch false
balancer 'force'
balance_switch true
catalogjanitor_switch true
cleaner_chore_enabled
hbck_chore_run
is_in_maintenance_mode
clear_deadservers
clear_slowlog_responses
get_slowlog_responses '*'
get_largelog_responses '*', {'LIMIT' => 5}
clear_compaction_queues $admin.getRegionServers.first.getServerName
get_balancer_decisions
get_balancer_rejections
normalizer_switch true
normalizer_enabled
normalize
normalizer_switch false
snapshot_cleanup_enabled
snapshot_cleanup_switch true
list_decommissioned_regionservers
recommission_regionserver $admin.getRegionServers.first.getServerName
update_config $admin.getRegionServers.first.getServerName
update_all_config
list_quotas
list_peers
list_replicated_tables
list_locks
disable 'm'
drop 'm'
disable_all 'c.*|halves|t2|schema|parts'
drop_all 'c.*|halves|t2|schema|parts'
disable 't'
drop 't'
list
exit

/**
 * The functions of the language and of cel-go's extensions that Kubernetes 1.33 enables, one a line: the name, and its
 * overloads. A leading dot marks a member function, whose first parameter is the receiver. Lines that begin with a space
 * continue the line above. The ids of the overloads are cel-go's. Functions for many types are in signature.ts.
 */

/** The operators, and the functions that macros use. */
export const OPERATORS = `
!_ logical_not(bool)bool
-_ negate_double(double)double negate_int64(int)int
@in in_list(A,list(A))bool in_map(A,map(A,B))bool
@not_strictly_false not_strictly_false(bool)bool
_!=_ not_equals(A,A)bool
_%_ modulo_int64(int,int)int modulo_uint64(uint,uint)uint
_&&_ logical_and(bool,bool)bool
_*_ multiply_double(double,double)double multiply_int64(int,int)int multiply_uint64(uint,uint)uint
_+_ add_bytes(bytes,bytes)bytes add_double(double,double)double
  add_duration_duration(duration,duration)duration add_duration_timestamp(duration,timestamp)timestamp
  add_timestamp_duration(timestamp,duration)timestamp add_int64(int,int)int add_list(list(A),list(A))list(A)
  add_string(string,string)string add_uint64(uint,uint)uint
_-_ subtract_double(double,double)double subtract_duration_duration(duration,duration)duration
  subtract_int64(int,int)int subtract_timestamp_duration(timestamp,duration)timestamp
  subtract_timestamp_timestamp(timestamp,timestamp)duration subtract_uint64(uint,uint)uint
_/_ divide_double(double,double)double divide_int64(int,int)int divide_uint64(uint,uint)uint
_==_ equals(A,A)bool
_?._ select_optional_field(dyn,string)optional(V)
_?_:_ conditional(bool,A,A)A
_[?_] list_optindex_optional_int(list(V),int)optional(V)
  optional_list_optindex_optional_int(optional(list(V)),int)optional(V)
  map_optindex_optional_value(map(K,V),K)optional(V)
  optional_map_optindex_optional_value(optional(map(K,V)),K)optional(V)
_[_] index_list(list(A),int)A index_map(map(A,B),A)B
  optional_list_index_int(optional(list(V)),int)optional(V)
  optional_map_index_value(optional(map(K,V)),K)optional(V)
_||_ logical_or(bool,bool)bool
cel.@mapInsert @mapInsert_map_key_value(map(K,V),K,V)map(K,V) @mapInsert_map_map(map(K,V),map(K,V))map(K,V)
`;

/** Conversions to another type, one type a line: its name, which is also a function, and the types of its operands. */
export const CONVERSIONS = `
bool bool string
bytes bytes string
double double int string uint
duration duration int string
int int double duration string timestamp uint
string string bool bytes double duration int timestamp uint
timestamp timestamp int string
uint uint double int string
`;

/** The parts of timestamps, one a line: the function, the name in its overloads, and `duration` if durations have it. */
export const TIMES = `
getDate day_of_month_1_based
getDayOfMonth day_of_month
getDayOfWeek day_of_week
getDayOfYear day_of_year
getFullYear year
getHours hours duration
getMilliseconds milliseconds duration
getMinutes minutes duration
getMonth month
getSeconds seconds duration
`;

/** Texts, lists, maps, sets and optionals. */
export const VALUES = `
dyn to_dyn(A)dyn
type type(A)type(A)
charAt .string_char_at_int(string,int)string
contains .contains_string(string,string)bool
endsWith .ends_with_string(string,string)bool
find .string_find_string(string,string)string
findAll .string_find_all_string(string,string)list(string)
  .string_find_all_string_int(string,string,int)list(string)
first .list_first(list(V))optional(V)
hasValue .optional_hasValue(optional(V))bool
indexOf .list_a_index_of_int(list(A),A)int .string_index_of_string(string,string)int
  .string_index_of_string_int(string,string,int)int
join .list_join(list(string))string .list_join_string(list(string),string)string
last .list_last(list(V))optional(V)
lastIndexOf .list_a_last_index_of_int(list(A),A)int .string_last_index_of_string(string,string)int
  .string_last_index_of_string_int(string,string,int)int
lowerAscii .string_lower_ascii(string)string
matches matches(string,string)bool .matches_string(string,string)bool
optional.none optional_none()optional(V)
optional.of optional_of(V)optional(V)
optional.ofNonZeroValue optional_ofNonZeroValue(V)optional(V)
optional.unwrap optional_unwrap(list(optional(V)))list(V)
or .optional_or_optional(optional(V),optional(V))optional(V)
orValue .optional_orValue_value(optional(V),V)V
replace .string_replace_string_string(string,string,string)string
  .string_replace_string_string_int(string,string,string,int)string
sets.contains list_sets_contains_list(list(T),list(T))bool
sets.equivalent list_sets_equivalent_list(list(T),list(T))bool
sets.intersects list_sets_intersects_list(list(T),list(T))bool
size size_bytes(bytes)int .bytes_size(bytes)int size_list(list(A))int .list_size(list(A))int
  size_map(map(A,B))int .map_size(map(A,B))int size_string(string)int .string_size(string)int
split .string_split_string(string,string)list(string)
  .string_split_string_int(string,string,int)list(string)
startsWith .starts_with_string(string,string)bool
substring .string_substring_int(string,int)string .string_substring_int_int(string,int,int)string
trim .string_trim(string)string
unwrapOpt .optional_unwrapOpt(list(optional(V)))list(V)
upperAscii .string_upper_ascii(string)string
value .optional_value(optional(V))V
`;

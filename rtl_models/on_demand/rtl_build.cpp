// SPDX-License-Identifier: Apache-2.0
#include "rtl_models/on_demand/rtl_build.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/cache_directory.h"
#include "base/measured_process.h"
#include "base/scratch_directory.h"
#include "base/text_file.h"
#include "base/text_hash.h"
#include "base/words.h"
#include "rtl_models/on_demand/model_abi.h"
#include "rtl_models/on_demand/rtl_ports.h"
#include "rtl_models/on_demand/sealed_file.h"
#include "rtl_models/rtl_sources.h"

namespace toriscope {
namespace {

namespace fs = std::filesystem;
constexpr const char* warnings_end = ".warnings";
using words = std::vector<std::string>;

/// A fresh directory in the cache, removed at the end.
scratch_directory work_directory() {
  const std::string cache = rtl_cache_directory();
  try {
    fs::create_directories(cache);
    return scratch_directory(cache);
  } catch (const std::runtime_error&) {
    throw rtl_build_error("the cache " + cache +
                          " cannot be written; TORISCOPE_RTL_CACHE may name another place");
  }
}

words operator+(words a, const words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string joined_words(const words& w) { return joined(w, " "); }

/// Verilator and the compiler, and what they call themselves.
class toolchain {
 public:
  toolchain()
      : verilator_(verilator_command()),
        compiler_(words_of_environment("TORISCOPE_CXX", joined_words(words_of_environment("CXX", "c++")))),
        flags_(words_of_environment("TORISCOPE_RTL_CXXFLAGS", "-O1")) {
    verilator_version_ = answer(verilator_, {"--version"}, verilator_missing());
    compiler_version_ = answer(
        compiler_, {"--version"},
        "'" + joined_words(compiler_) + "' cannot be run; name a C++ compiler in TORISCOPE_CXX or CXX");
  }

  const words& verilator() const { return verilator_; }
  std::string identity() const {
    return verilator_version_ + compiler_version_ + joined_words(compiler_) + joined_words(flags_);
  }
  /// How RTL is verilated, with what is asked for it. Verilator 5 simulates delays unless it is told not to. Its data
  /// flow optimisation is off: 5.006 makes wrong models of vectors whose bits depend on each other, and such errors
  /// have been reported for later versions, too. (-O1 to -O3 turn it on: the order counts.) Older ones know neither.
  /// Without it other loops do not settle in 5.006, which is why a design may ask for it.
  words verilating(const words& asked) const {
    const std::size_t digit = verilator_version_.find_first_of("0123456789");
    const bool old = digit == std::string::npos || std::atoi(verilator_version_.c_str() + digit) < 5;
    const bool flow = std::find(asked.begin(), asked.end(), "-fdfg") != asked.end();
    return words{"--cc", "--assert", "-Wno-fatal", "-O3", "--x-assign", "unique", "--x-initial", "unique"} +
           asked + (old ? words{} : words{"--no-timing"}) + (old || flow ? words{} : words{"-fno-dfg"});
  }
  words compile(const words& more) const {
    const bool gcc = compiler_version_.find("clang") == std::string::npos;
    // Several models live in one process: nothing in them may be shared by name.
    words w = compiler_ +
              words{"-std=c++17", "-fPIC", "-fvisibility=hidden", "-w", "-pthread", "-DVL_TIME_CONTEXT"};
    if (gcc) w.push_back("-fno-gnu-unique");
    // Without optimisation clang asks a library whether an atomic is free of locks.
    const words libraries = gcc ? words{} : words{"-latomic"};
    // Asked for here alone: that takes as long as a short run, and most models are in the cache.
    const std::string root = answer(verilator_, {"--getenv", "VERILATOR_ROOT"}, verilator_missing());
    return w + flags_ +
           words{"-I" + rtl_include_directory(), "-I" + root + "/include", "-I" + root + "/include/vltstd",
                 "-include", rtl_include_directory() + "/rtl_models/on_demand/model_print.h"} +
           more + libraries;
  }

 private:
  /// The first line of what a tool says. @throws rtl_build_error `complaint`
  static std::string answer(const words& tool, const words& question, const std::string& complaint) {
    const measured_process done = run_tool(tool + question);
    if (done.status != 0) throw rtl_build_error(complaint);
    return done.out.substr(0, done.out.find('\n'));
  }

  words verilator_, compiler_, flags_;
  std::string verilator_version_, compiler_version_;
};

/// One build: the steps from sources to a file in the cache.
class build {
 public:
  build(const rtl_design& design, const toolchain& tools)
      : design_(design),
        tools_(tools),
        name_(name_of_sources()) {}

  std::string library() const {
    const std::string file = name_ + ".so";
    if (is_sealed(file)) return file;
    const scratch_directory work = work_directory();
    const std::string said = verilate(work);
    if (name_of_sources() != name_) return build(design_, tools_).library();  // they were edited meanwhile
    if (!said.empty()) write_text_file(name_ + warnings_end, said);
    const std::vector<rtl_port> ports = ports_of_header(text_if_there(work.file("obj/Vmodel.h")).value_or(""));
    check_ports(design_, ports);
    write_source(work, ports);
    run(work,
        tools_.compile({"-I" + work.path() + "/obj", "-shared", "-o", work.file("model.so"),
                        work.file("model.cpp"), runtime()}),
        design_.what + " cannot be compiled as C++");
    put_into_cache(work.file("model.so"), file);
    return file;
  }

 private:
  static void put_into_cache(const std::string& made, const std::string& file) {
    seal_file(made, fs::path(file).filename().string());
    std::error_code error;
    fs::rename(made, file, error);
    if (error) throw rtl_build_error("cannot put " + file + " into the cache: " + error.message());
  }

  /// By what the sources hold now.
  std::string name_of_sources() const {
    return rtl_cache_directory() + "/" + design_.top + "_" + hex_text(key());
  }

  std::uint64_t key() const {
    std::string text;
    const auto add = [&text](const std::string& part) { text += std::to_string(part.size()) + ' ' + part; };
    add(tools_.identity());
    for (const std::string& word : tools_.verilating({})) add(word);
    add(wrapper_text());
    add(design_.top);
    add(parameters_text(design_));
    add(std::to_string(design_.verilator_options.size()));
    for (const std::string& option : design_.verilator_options) add(option);
    add(std::to_string(design_.with_trace * 2 + design_.with_registers));
    for (const rtl_port& p : design_.pins) add(p.name + ' ' + std::to_string(p.bits * 2 + p.is_output));
    for (const std::string& file : design_.files) add(source_text(file));
    for (const std::string& file : design_.read_files) add(text_if_there(file).value_or(""));
    return mix_text(text);
  }

  static std::string wrapper_text() {
    std::string text;
    for (const char* name : {"model_abi.h", "model_print.h", "model_wrapper.h"})
      text += text_if_there(rtl_include_directory() + "/rtl_models/on_demand/" + name).value_or("");
    return text;
  }

  std::string source_text(const std::string& file) const {
    if (const std::optional<std::string> text = text_if_there(file)) return *text;
    throw rtl_build_error("the source " + file + " of " + design_.what + " cannot be read");
  }

  /// Runs a tool. @returns what it said. @throws rtl_build_error with the gist of its message, which is kept
  std::string run(const scratch_directory& work, const words& command, const std::string& wrong) const {
    const measured_process done = run_tool(command, work.path());
    if (done.status == 0) return done.out;
    const std::string kept = name_ + ".log";
    write_text_file(kept, joined_words(command) + "\n" + done.out);
    throw rtl_build_error(wrong + ": " + gist_of(done.out) + "; all of the message is in " + kept);
  }

  /// @returns its warnings
  std::string verilate(const scratch_directory& work) const {
    words command = tools_.verilator() + tools_.verilating(design_.verilator_options) +
                    words{"--prefix", "Vmodel", "--top-module", design_.top, "-Mdir", work.file("obj")};
    if (design_.with_trace) command.push_back("--trace");
    if (design_.with_registers) command.push_back("--public-flat-rw");
    for (const auto& [name, value] : design_.parameters) command.push_back("-G" + name + "=" + value);
    for (const std::string& directory : design_.include_directories) command.push_back("-I" + directory);
    return run(work, command + design_.files, "Verilator does not take " + design_.what);
  }

  /// The C++ files that Verilator made, and our wrapper, as one source file.
  void write_source(const scratch_directory& work, const std::vector<rtl_port>& ports) const {
    std::vector<std::string> parts;
    for (const auto& entry : fs::directory_iterator(work.file("obj")))
      if (entry.path().extension() == ".cpp") parts.push_back(entry.path().filename().string());
    std::sort(parts.begin(), parts.end());
    std::ostringstream out;
    for (const std::string& part : parts) out << "#include \"" << part << "\"\n";
    out << "#define TORISCOPE_MODEL Vmodel\n#define TORISCOPE_TRACE " << design_.with_trace
        << "\n#define TORISCOPE_REGISTERS " << design_.with_registers << "\n#define TORISCOPE_PINS(PIN)";
    for (const rtl_port& p : ports) out << " PIN(" << p.name << ", " << p.bits << ", " << p.is_output << ")";
    out << "\n#include \"rtl_models/on_demand/model_wrapper.h\"\n";
    write_text_file(work.file("model.cpp"), out.str());
  }

  /// Verilator's own library as one object file: the same for all models.
  std::string runtime() const {
    const std::string kind = design_.with_trace ? "trace" : "plain";
    const std::string file = rtl_cache_directory() + "/runtime_" +
                             hex_text(mix_text(tools_.identity() + wrapper_text() + kind)) + ".o";
    if (is_sealed(file)) return file;
    const scratch_directory work = work_directory();
    write_text_file(work.file("runtime.cpp"),
                    std::string("#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n") +
                        (design_.with_trace ? "#include \"verilated_vcd_c.cpp\"\n" : ""));
    run(work, tools_.compile({"-c", "-o", work.file("runtime.o"), work.file("runtime.cpp")}),
        "Verilator's library cannot be compiled");
    put_into_cache(work.file("runtime.o"), file);
    return file;
  }

  const rtl_design& design_;
  const toolchain& tools_;
  const std::string name_;  ///< of the files in the cache, without its end
};

}  // namespace

std::string parameters_text(const rtl_design& design) {
  std::string text;
  for (const auto& [name, value] : design.parameters) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text;
}

std::string rtl_cache_directory() {
  const char* const asked = std::getenv("TORISCOPE_RTL_CACHE");
  if (asked && *asked) return asked;
  const std::string cache = user_cache_directory();
  return (cache.empty() ? private_temporary_directory() : cache) + "/rtl";
}

std::string gist_of(const std::string& message) {
  std::istringstream lines(message);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (line.find("rror") != std::string::npos) return line;  // "%Error: ...", "error: ..."
  }
  return first.empty() ? "nothing" : first;
}

std::vector<std::string> verilator_command() {
  return words_of_environment("TORISCOPE_VERILATOR", "verilator");
}

std::string verilator_missing() {
  return "'" + joined_words(verilator_command()) +
         "' cannot be run; RTL is simulated with Verilator: install it (Debian: apt-get install verilator), "
         "or name it in TORISCOPE_VERILATOR";
}

std::string rtl_warnings_file(const std::string& library) {
  return fs::path(library).replace_extension(warnings_end).string();
}

std::string build_rtl(const rtl_design& design) {
  const toolchain tools;
  return build(design, tools).library();
}

}  // namespace toriscope

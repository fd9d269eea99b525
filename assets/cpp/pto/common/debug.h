// Everything is in one header.
#pragma once
#include "../pto-inst.hpp"
